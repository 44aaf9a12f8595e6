import { apiError, ConnectionError, type StoredMedia } from '../../../sdk/index.ts';
import { session } from '../../gateway/session.ts';

interface UploadOptions {
  /** From 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Stores a file to be sent. By XMLHttpRequest: nothing else in a browser tells how much has gone. */
export async function upload(file: File, { onProgress, signal }: UploadOptions): Promise<StoredMedia> {
  const token = await session.token();
  const url = new URL('/v1/media', window.location.origin);
  url.searchParams.set('fileName', file.name.replaceAll(/[/\\]/g, '_').slice(-200));
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Content-Type', file.type === '' ? 'application/octet-stream' : file.type);
    request.setRequestHeader('Authorization', `Bearer ${token ?? ''}`);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total);
    };
    request.onerror = () => reject(new ConnectionError('The gateway could not be reached.'));
    request.onabort = () => reject(signal.reason);
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status === 201) return resolve(body as StoredMedia);
      const requestId = request.getResponseHeader('X-Request-Id') ?? '';
      reject(
        apiError(request.status, body, {
          requestId,
          retryAfterSeconds: undefined,
          idempotencyKey: undefined,
        }),
      );
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
