import { expect, test } from 'vitest';
import {
  believableType,
  isWebPage,
  nameOfType,
  tellingType,
  typeOfName,
} from '../../../src/worker/features/media/file-types.ts';

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
