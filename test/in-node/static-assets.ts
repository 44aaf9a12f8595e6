import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mime from 'mime';

/** The files of a folder by their paths, as the platform serves them: pages without their ending too. */
export const staticAssets = (folder: string) => ({
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    for (const path of [pathname, `${pathname}.html`, join(pathname, 'index.html')]) {
      const bytes = await readFile(join(folder, path)).catch(() => null);
      const headers = { 'Content-Type': mime.getType(path) ?? 'text/plain' };
      if (bytes !== null) return new Response(bytes, { headers });
    }
    return new Response(null, { status: 404 });
  },
});
