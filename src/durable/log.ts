/**
 * One wide JSON line for each state change or attempt. Fields contain only ids, codes, counts and times: no body, no secret,
 * and a phone number only through {@link shortNumber}.
 */
export function log(
  event: string,
  fields: Record<string, string | number | boolean | null | undefined>,
): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), event, ...fields }));
}

/** A fault, with what it was doing. Of nested errors only the innermost speaks: the outer ones may quote parameters. */
export function logFault(event: string, error: unknown, fields: Record<string, string | number> = {}): void {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  console.error(
    JSON.stringify({ at: new Date().toISOString(), level: 'error', event, ...fields, error: message }),
  );
}

/** `628123456789` as a log may hold it: `628***789`. */
export function shortNumber(phoneNumber: string): string {
  return `${phoneNumber.slice(0, 3)}***${phoneNumber.slice(-3)}`;
}
