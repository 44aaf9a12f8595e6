import type { Message } from '../../../../../sdk/index.ts';

export type MessageMedia = NonNullable<Message['media']>;

/** Where the file is, on this very host: the page loads from nowhere else. Null until it is there. */
export function fileUrl({ url }: MessageMedia): string | null {
  if (url === undefined) return null;
  const { pathname, search } = new URL(url, window.location.origin);
  return `${pathname}${search}`;
}

const units = ['B', 'KB', 'MB', 'GB'];

export function readableBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

/** 83 is 1:23. */
export function readableDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
