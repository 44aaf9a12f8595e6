import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';

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

/** What a log can still be asked for. */
interface KeptRange {
  generation: string;
  /** The sequence of the oldest event that can be read; one above the head when there is none. */
  oldest: number;
  head: number;
  /** Of a log that was restored: cursors from before mean something up to where the backup went. */
  earlier: readonly EarlierCursors[];
}

/** Cursors of this generation are of this log too, up to this sequence: what came behind it was not restored. */
export interface EarlierCursors {
  generation: string;
  upTo: number;
}

type StreamStart = { ok: true; seq: number } | Refusal;

/**
 * The sequence after which a reader begins: `after` is a cursor, `now`, or null for the oldest event. Only this function
 * decides what is older than what is kept.
 */
export function streamStart(
  after: string | null,
  { generation, oldest, head, earlier }: KeptRange,
  /** What the caller has called it. */
  path = 'after',
): StreamStart {
  if (after === null) return { ok: true, seq: oldest - 1 };
  if (after === 'now') return { ok: true, seq: head };
  const cursor = decodeCursor(after);
  if (cursor === null) return invalidField(path, 'Take it from an event, or from nextCursor.');
  const isEarlier = earlier.some((it) => it.generation === cursor.generation && cursor.seq <= it.upTo);
  if ((cursor.generation !== generation && !isEarlier) || cursor.seq < oldest - 1) {
    return refuse('CURSOR_EXPIRED', 'The event stream no longer goes back that far.', {
      details: [
        {
          path,
          message: 'Continue from `oldest`: earlier events are gone.',
          oldest: encodeCursor({ generation, seq: oldest - 1 }),
        },
      ],
    });
  }
  return cursor.seq > head
    ? invalidField(path, 'It lies beyond the newest event.')
    : { ok: true, seq: cursor.seq };
}
