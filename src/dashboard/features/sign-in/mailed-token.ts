/** The token of a mailed link, behind its `#`: browsers send that part to no server. Null where it was cut off. */
export const mailedToken = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get('token');
