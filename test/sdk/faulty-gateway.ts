import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Heard {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** How the gateway answers one request. */
export type Answer = (response: ServerResponse, heard: Heard) => void;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

export const refusal = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details?: unknown[],
): Answer =>
  json(
    status,
    { error: { code, message: `${code}.`, requestId: 'req_1', ...(details && { details }) } },
    headers,
  );

/** The connection breaks before there is an answer. */
export const hangUp: Answer = (response) => void response.socket?.destroy();

/** The connection breaks in the middle of the answer. */
export const breakOff: Answer = (response) => {
  response.writeHead(202, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"messageId":', () => response.socket?.destroy());
};

/** There never is an answer. */
export const silence: Answer = () => {};

/** A real HTTP server that answers one request after the other as it is told, the last answer again and again. */
export async function faultyGateway(...answers: Answer[]) {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url = '', headers } = request;
    const asked = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) };
    heard.push(asked);
    (answers.length > 1 ? answers.shift() : answers[0])?.(response, asked);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}
