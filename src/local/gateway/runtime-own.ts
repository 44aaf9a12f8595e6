import type { IncomingHttpHeaders } from 'node:http';

/**
 * What belongs to the runtime and not to the Worker: Miniflare serves buckets, databases and handlers under paths of its
 * own, and takes orders in headers of its own (its `CorePaths` and `CoreHeaders`). None of that is for whoever asks from
 * outside.
 */
const runtimeFolders = ['cdn-cgi', '__cf_local'];

/** A file name is never decoded so often. */
const decodedTimesMax = 5;

/**
 * Whether a request's target leads to a path of the runtime: read as a browser reads it, dots and backslashes resolved;
 * and, since a later release may read it more freely, decoded, in any case, and with any number of slashes in front.
 */
export function isRuntimePath(target: string): boolean {
  let text = target.split(/[?#]/, 1)[0] ?? '';
  for (let times = 0; times <= decodedTimesMax; times += 1) {
    const path = URL.parse(`http://gateway${text}`)?.pathname ?? text;
    const folder = path.split(/[/\\]+/).find((part) => part !== '') ?? '';
    if (runtimeFolders.includes(folder.toLowerCase())) return true;
    const decoded = decodedOnce(path);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** What cannot be decoded stays as it is. */
const decodedOnce = (text: string) =>
  text.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/** Takes the headers out that the runtime obeys, and those that only the platform sets; `kept`: the one that the settings name. */
export function dropRuntimeHeaders(headers: IncomingHttpHeaders, kept: string | undefined): void {
  for (const name of Object.keys(headers)) {
    if (/^(mf|cf)-/i.test(name) && name.toLowerCase() !== kept?.toLowerCase()) delete headers[name];
  }
}
