import { expect, test } from 'vitest';
import { networkText } from '../../../../src/worker/features/assistants/thinking/network-text.ts';

test.each([
  ['bold', 'This is **very** good.', 'This is *very* good.'],
  ['bold with underscores', 'This is __very__ good.', 'This is *very* good.'],
  ['italic beside bold', '**Note:** it is *not* so.', '*Note:* it is _not_ so.'],
  ['italic with underscores', 'It is _not_ so.', 'It is _not_ so.'],
  ["the network's own bold", 'The price is *10 euros*.', 'The price is *10 euros*.'],
  ['struck', '~~10~~ 8 euros', '~10~ 8 euros'],
  ['bold and italic', '***both***', '_*both*_'],
  ['bold within a word', '这是**重点**内容', '这是重点内容'],
  ['bold over lines', '**one\ntwo**', '*one*\n*two*'],
  ['a heading', '# Our **best** offers\nText', '*Our best offers*\n\nText'],
  ['a link', 'See [our shop](https://example.com/shop).', 'See our shop (https://example.com/shop).'],
  ['a link that is its text', '[https://example.com](https://example.com)', 'https://example.com'],
  ['a bare link', 'See https://example.com/a_b_c now', 'See https://example.com/a_b_c now'],
  ['an e-mail address', '[a@example.com](mailto:a@example.com)', 'a@example.com'],
  ['a picture', '![Our lamp](https://example.com/lamp.png)', 'Our lamp (https://example.com/lamp.png)'],
  ['a list', '* one\n* **two**\n', '- one\n- *two*'],
  ['a numbered list', '3. one\n4. two', '3. one\n4. two'],
  ['a list in a list', '- one\n  - in it\n- two', '- one\n  - in it\n- two'],
  ['a list of tasks', '- [x] done\n- [ ] open', '- ☑ done\n- ☐ open'],
  ['a quote', '> said\n> so', '> said\n> so'],
  ['code', 'Use `npm start`.', 'Use `npm start`.'],
  ['a block of code', '```js\nconst a = **1**;\n```', '```\nconst a = **1**;\n```'],
  [
    'a table',
    '| Plan | Price | Users |\n|---|---|---|\n| Basic | 10 | 3 |\n| **Pro** | 20 | |',
    '*Basic* · Price: 10 · Users: 3\n*Pro* · Price: 20',
  ],
  ['a break', 'one<br>two', 'one\ntwo'],
  ['HTML characters', 'A &amp; B &lt; C', 'A & B < C'],
  ['a mark that is none', 'It costs 3 * 4 \\* 5', 'It costs 3 * 4 * 5'],
  ['nothing', 'Hello,\nhow are you?\n\nBye', 'Hello,\nhow are you?\n\nBye'],
  ['an order number', 'Order #1234 and 50_000_000', 'Order #1234 and 50_000_000'],
])('%s is written as the network has it', async (_, markdown, text) => {
  expect(await networkText(markdown)).toBe(text);
});
