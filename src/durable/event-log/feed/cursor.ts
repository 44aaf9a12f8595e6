/** A place between two events of a log: behind the event with this sequence. */
export interface Cursor {
  /** Of the log that the sequence belongs to: see `LogState.generation`. */
  generation: string;
  seq: number;
}

const shape = /^([0-9a-f]{8})\.(0|[1-9]\d{0,14})$/;

/** Opaque to the outside, and safe in a URL. */
export function encodeCursor({ generation, seq }: Cursor): string {
  return btoa(`${generation}.${seq}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The cursor, or null when no log has ever made this text. */
export function decodeCursor(text: string): Cursor | null {
  const [, generation, seq] = shape.exec(decoded(text)) ?? [];
  if (generation === undefined || seq === undefined) return null;
  const cursor = { generation, seq: Number(seq) };
  return encodeCursor(cursor) === text ? cursor : null;
}

function decoded(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
