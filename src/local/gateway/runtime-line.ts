/** A line that the runtime has written, as the gateway's log keeps it. */
export type RuntimeLine =
  /** One of the Worker's own, in JSON. */
  | { is: 'own' }
  /** What else it says may quote a request, passwords included: only its place in the source and its length are kept. */
  | { is: 'said'; isError: boolean; at: string | null; characters: number };

export function readRuntimeLine(level: string, message: string): RuntimeLine {
  if (isOwnLine(message)) return { is: 'own' };
  const at = /^[\w./+-]{1,80}:\d{1,6}(?=: )/.exec(message)?.[0] ?? null;
  return { is: 'said', isError: level === 'error' && !isHangUp(message), at, characters: message.length };
}

/** Somebody closed a connection before the answer had been written: that is theirs to do, and no fault. */
const isHangUp = (message: string) =>
  /^kj::getCaughtExceptionAsKj\(\) = [\w./+-]{1,80}:\d{1,6}: disconnected: /.test(message);

function isOwnLine(message: string): boolean {
  if (!message.startsWith('{"at":')) return false;
  try {
    return typeof JSON.parse(message).event === 'string';
  } catch {
    return false;
  }
}
