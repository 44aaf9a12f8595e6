import { expect, test } from 'vitest';
import {
  agreedType,
  believableType,
  isWebPage,
  nameOfType,
  tellingType,
  typeOfName,
  voiceSeconds,
} from '../../../src/worker/features/media/file-types.ts';
import { InspectedBytes } from '../../../src/worker/features/media/store/inspected-bytes.ts';
import { oggOpus } from '../../worker/media/media-samples.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['list.csv', 'text/csv'],
  ['Angebot.DOCX', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['contact.vcf', 'text/vcard'],
  ['notes', null],
  ['notes.nothing-known', null],
  [undefined, null],
])('the name %j stands for the type %j', async (name, type) => {
  expect(await typeOfName(name)).toBe(type);
});

test('a name is not believed where the bytes would have told', async () => {
  expect(await believableType('list.csv')).toBe('text/csv');
  expect(await believableType('photo.png')).toBeNull();
  expect(await believableType('invoice.pdf')).toBeNull();
});

test('a file without a name is called by its type', async () => {
  expect(await nameOfType('application/pdf')).toBe('document.pdf');
  expect(await nameOfType('application/octet-stream')).toBeUndefined();
});

test.each(['application/octet-stream', 'binary/octet-stream', 'application/force-download'])(
  '%s says nothing of a type',
  (type) => {
    expect(tellingType(type)).toBeNull();
  },
);

test('a page for a browser is known by its beginning', () => {
  expect(isWebPage(bytes('\ufeff<!DOCTYPE html><title>Sign in</title>'))).toBe(true);
  expect(isWebPage(bytes('\n<!-- a -->\n<html lang="en">'))).toBe(true);
  expect(isWebPage(bytes('<?xml version="1.0"?><svg/>'))).toBe(false);
  expect(isWebPage(bytes('%PDF-1.7'))).toBe(false);
  expect(isWebPage(bytes('name;<html>'))).toBe(false);
});

test.each([
  ['audio/x-wav', 'audio/wav', 'audio/wav'],
  ['audio/mp3', 'audio/mpeg', 'audio/mpeg'],
  ['image/jpg', 'image/jpeg', 'image/jpeg'],
  ['audio/mp4', 'video/mp4', 'audio/mp4'],
])('a file that is called %s and looks like %s is sent as %s', (named, seen, type) => {
  expect(agreedType(named, seen, new Uint8Array(64))).toBe(type);
});

test('the seconds of a voice note are those of its last page, in however many pieces that comes', async () => {
  const file = oggOpus(7);
  for (const at of [1, file.byteLength - 40, file.byteLength - 20]) {
    const body = new Blob([file]).stream().pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          for (const piece of [chunk.slice(0, at), chunk.slice(at)]) controller.enqueue(piece);
        },
      }),
    );
    const read = new InspectedBytes(body, () => file.byteLength);
    for await (const _ of read.chunks());
    expect(voiceSeconds('audio/ogg', read.tail), `${at}`).toEqual({ durationSeconds: 7 });
  }
});

test('a page of a voice note on which no sound ends says nothing of its seconds', () => {
  const [file, page] = [oggOpus(7), oggOpus(1).slice(-68)];
  new DataView(page.buffer).setBigUint64(6, 2n ** 64n - 1n, true);
  const bytes = new Uint8Array([...file, ...page]);
  expect(voiceSeconds('audio/ogg', bytes)).toEqual({ durationSeconds: 7 });
});
