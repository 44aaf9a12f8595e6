/** `info.description`: what holds for every call. */
export const introduction = `Send messages from your own paired phone numbers with one call, and follow each of them by
signed webhooks.

## Conventions

- JSON in UTF-8, both ways. A field that is not documented is refused, so a typing error is never ignored.
- Times are ISO 8601, UTC, with milliseconds. Phone numbers are digits with country code, without a plus; where you
  send one, \`+\`, spaces, dashes and brackets are fine.
- Ids sort by time. Everything belongs to one account: another account's id answers \`404\`, like one that does not exist.
- Lists are newest first: \`limit\` (1 to 200, default 50) and \`cursor\`; \`nextCursor\` is null on the last page.
- Answers may gain fields. Do not refuse what you do not know.

## Two credentials

\`X-API-Key\` is for your servers, \`Authorization: Bearer\` for people who have signed in. Each operation says which it
takes, and which scope a key must have for it: a key has all but \`webhooks\`, unless others were named at its creation.

## Errors

Every error has the same body, a code from a closed list, and the \`X-Request-Id\` of the request. \`details\` names each
field at fault.

## Repeats

\`POST /v1/messages/send\` takes an \`Idempotency-Key\`. After a lost answer, a 5xx or a 429, send the same request under
the same key: it goes out once, however often you ask.
`;
