import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerAdmin } from '../admin/answer-admin.ts';
import { answerMedia } from '../media/answer-media.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { sendJson } from './http-body.ts';

const codes: Record<number, string> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  416: 'RANGE_NOT_SATISFIABLE',
  503: 'UNAVAILABLE',
  504: 'CLIENT_SILENT',
};

/** Everything that comes by HTTP: the admin API, and media. Whatever goes wrong is answered as JSON. */
export async function answerHttp(
  network: Network,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://simulator');
  try {
    const answered =
      (await answerAdmin(network, request, response, url)) ||
      (await answerMedia(network, request, response, url));
    if (!answered) throw new Refusal(404, `There is nothing at ${request.method} ${url.pathname}.`);
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
    } else if (error instanceof z.ZodError) {
      sendJson(response, 400, {
        error: { code: 'VALIDATION_ERROR', message: 'The body does not fit.', details: detailsOf(error) },
      });
    } else if (error instanceof Refusal) {
      const code = codes[error.status] ?? 'INTERNAL';
      sendJson(response, error.status, { error: { code, message: error.message } });
    } else {
      network.log.error({ reason: String(error), path: url.pathname }, 'request.failed');
      sendJson(response, 500, { error: { code: 'INTERNAL', message: 'The simulator failed; see its log.' } });
    }
  }
}

function detailsOf(error: z.ZodError): { path: string; message: string }[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'Unknown field.' }));
  });
}
