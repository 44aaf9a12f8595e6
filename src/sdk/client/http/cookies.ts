/**
 * A fetch that keeps the cookies it is given, as a browser does. In a browser this one can neither read nor set any, and
 * the browser's own go with requests to its own host.
 */
export function cookieKeepingFetch(send: typeof fetch = fetch): typeof fetch {
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const response = await send(input, { ...init, headers });
    for (const line of setCookies(response.headers)) keep(cookies, line);
    return response;
  };
}

/** One line a cookie; early versions of Node 18 give them joined. */
function setCookies(headers: Headers): string[] {
  const { getSetCookie } = headers as { getSetCookie?: () => string[] };
  if (getSetCookie !== undefined) return getSetCookie.call(headers);
  return headers.get('Set-Cookie')?.split(/,(?=\s*[\w-]+=)/) ?? [];
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=');
  const isOver = attributes.some((attribute) => /^max-age=(0|-.*)$/i.test(attribute));
  if (isOver) cookies.delete(name);
  else cookies.set(name, value.join('='));
}
