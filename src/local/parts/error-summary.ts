/** The same trouble is shown at most once in this time; the log has every line. */
const repeatAfterMs = 10_000;

/**
 * Finds the errors in a part's JSON log lines. The returned function gives a line for the terminal: the name of
 * what happened and nothing of its content; or null for what is no error or was shown just now.
 */
export function errorSummary(part: string): (line: string) => string | null {
  const shownAt = new Map<string, number>();
  return (line) => {
    const event = errorEvent(line);
    if (event === null) return null;
    const now = Date.now();
    if (now - (shownAt.get(event) ?? 0) < repeatAfterMs) return null;
    shownAt.set(event, now);
    return `${part}: ${event} (see logs/${part}.log)`;
  };
}

function errorEvent(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, event, msg } = JSON.parse(line);
    const isError = typeof level === 'number' ? level >= 50 : level === 'error' || level === 'fatal';
    return isError ? ([event, msg].find(isEventName) ?? 'error') : null;
  } catch {
    return null;
  }
}

// A name such as `webhook.failed`; free text might hold anything.
const isEventName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z0-9_.-]{0,60}$/.test(value);
