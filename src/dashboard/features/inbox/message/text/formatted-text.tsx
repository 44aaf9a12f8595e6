import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import classes from './formatted-text.module.css';
import { type Piece, piecesOf } from './text-format.ts';

const emojiOnly =
  /^(?:\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}\u{200d}]*|\p{Regional_Indicator}{2}|\s){1,9}$/u;

/** What somebody wrote, as phones show it. Links open in a tab that knows nothing of this one. */
export function FormattedText({ text, mentions }: { text: string; mentions?: ReadonlyMap<string, string> }) {
  const isLarge = text.length <= 40 && emojiOnly.test(text);
  return (
    <div className={classes.text} data-large={isLarge} dir="auto">
      <Pieces pieces={piecesOf(text)} mentions={mentions} />
    </div>
  );
}

function Pieces({
  pieces,
  mentions,
}: {
  pieces: readonly Piece[];
  mentions: ReadonlyMap<string, string> | undefined;
}) {
  return pieces.map((piece, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text that changes is drawn anew.
    <Fragment key={place}>{shown(piece, mentions)}</Fragment>
  ));
}

function shown(piece: Piece, mentions: ReadonlyMap<string, string> | undefined): ReactNode {
  switch (piece.kind) {
    case 'text':
      return mentions === undefined || mentions.size === 0 ? piece.text : withMentions(piece.text, mentions);
    case 'code':
      return <code className={classes.code}>{piece.text}</code>;
    case 'block':
      return <code className={classes.block}>{piece.text}</code>;
    case 'link':
      return (
        <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
          {piece.text}
        </a>
      );
    case 'bold':
      return (
        <strong>
          <Pieces pieces={piece.pieces} mentions={mentions} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Pieces pieces={piece.pieces} mentions={mentions} />
        </em>
      );
    case 'struck':
      return (
        <s>
          <Pieces pieces={piece.pieces} mentions={mentions} />
        </s>
      );
  }
}

/** `@` and what was mentioned, such as a phone number, under its name. */
function withMentions(text: string, mentions: ReadonlyMap<string, string>): ReactNode {
  const known = [...mentions.keys()].sort((a, b) => b.length - a.length);
  const pieces: ReactNode[] = [];
  let rest = text;
  while (rest !== '') {
    const found = known
      .map((key) => ({ key, at: rest.indexOf(`@${key}`) }))
      .filter(({ at }) => at >= 0)
      .reduce<{ key: string; at: number } | null>(
        (best, one) => (best === null || one.at < best.at ? one : best),
        null,
      );
    if (found === null) break;
    pieces.push(rest.slice(0, found.at));
    pieces.push(
      <Text span key={pieces.length} c="var(--blue)" fw={550}>
        {`@${mentions.get(found.key)}`}
      </Text>,
    );
    rest = rest.slice(found.at + found.key.length + 1);
  }
  return [...pieces, rest];
}
