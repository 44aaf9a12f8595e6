import type { proto } from '@whiskeysockets/baileys';
import type { FileContent } from '../../../contract/messages/content.ts';
import { voiceType } from '../../../contract/messages/media-kinds.ts';
import type { UploadTicket } from '../../media/upload-tickets.ts';

/** What is sent for a file that the network has. */
export function fileMessage(
  content: FileContent,
  ticket: UploadTicket,
  contextInfo: { contextInfo?: proto.IContextInfo },
): proto.IMessage {
  const { caption, fileName, mimetype, voice } = content.media;
  const { preview = {} } = ticket;
  const seconds = content.media.durationSeconds ?? preview.seconds;
  // A phone turns a picture before it shows it, and its size with it.
  const { width = content.media.width, height = content.media.height, pages } = preview;
  const shared = {
    url: ticket.url,
    directPath: ticket.directPath,
    mediaKey: Buffer.from(ticket.mediaKey, 'base64'),
    fileSha256: Buffer.from(ticket.sha256, 'hex'),
    fileEncSha256: Buffer.from(ticket.encSha256, 'base64'),
    fileLength: ticket.bytes,
    mediaKeyTimestamp: Math.floor(ticket.uploadedAt / 1000),
    mimetype: mimetype ?? null,
    ...contextInfo,
  };
  const size = { ...(width && { width }), ...(height && { height }) };
  const words = caption ? { caption } : {};
  const once = 'viewOnce' in content && content.viewOnce ? { viewOnce: true } : {};
  // What may be seen once is not to be seen before.
  const isShown = preview.thumbnail !== undefined && !('viewOnce' in once);
  const thumbnail = isShown ? { jpegThumbnail: Buffer.from(preview.thumbnail ?? '', 'base64') } : {};
  const waveform = preview.waveform ? { waveform: Buffer.from(preview.waveform, 'base64') } : {};
  const sealed = (message: proto.IMessage): proto.IMessage =>
    'viewOnce' in once ? { viewOnceMessage: { message } } : message;
  switch (content.type) {
    case 'image':
      return sealed({ imageMessage: { ...shared, ...size, ...words, ...thumbnail, ...once } });
    case 'video':
      return sealed({
        videoMessage: { ...shared, ...size, ...words, ...once, ...(seconds !== undefined && { seconds }) },
      });
    case 'audio':
      return sealed({
        audioMessage: {
          ...shared,
          ...once,
          ...(seconds !== undefined && { seconds }),
          // Whatever it was given as, a voice note is Opus in Ogg. Phones show as one only what says so.
          ...(voice && { ptt: true, mimetype: `${voiceType}; codecs=opus`, ...waveform }),
        },
      });
    case 'document':
      return {
        documentMessage: {
          ...shared,
          ...(fileName && { fileName, title: fileName }),
          ...words,
          ...(pages && { pageCount: pages }),
        },
      };
    case 'sticker':
      return { stickerMessage: { ...shared, ...size, ...(preview.isAnimated && { isAnimated: true }) } };
  }
}
