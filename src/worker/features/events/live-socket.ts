import type { LiveReader } from './live-reader.ts';

/**
 * What one socket is sent at most. Nobody tells how much of it the client has read, and what it has not lies in memory
 * here: so it comes back for more.
 */
const charactersMax = 4_000_000;
/** Service restart: the client connects again, behind the last event that it has. */
const resumeCode = 1012;

/** Answers with a WebSocket whose frames are the events, one each. */
export function answerLiveSocket(reader: LiveReader): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.addEventListener('close', () => reader.close());
  server.addEventListener('error', () => reader.close());
  server.accept();
  void passOn(reader, server);
  return new Response(null, { status: 101, webSocket: client });
}

/** Until the client goes, or the stream ends. */
async function passOn(reader: LiveReader, socket: WebSocket): Promise<void> {
  let characters = 0;
  while (characters < charactersMax) {
    const next = await reader.next();
    if (next === null || socket.readyState !== WebSocket.OPEN) break;
    if (next === 'silence') continue;
    for (const event of next.events) {
      const frame = JSON.stringify(event);
      characters += frame.length;
      socket.send(frame);
    }
  }
  reader.close();
  socket.close(resumeCode, 'resume behind the last event');
}
