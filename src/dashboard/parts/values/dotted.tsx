import { Fragment } from 'react';

/** A name of several words, such as that of an event: where it has no room, it is broken between them. */
export const Dotted = ({ name }: { name: string }) => (
  <code>
    {name.split(/(?<=[._])/).map((word, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word may come twice.
      <Fragment key={place}>
        {place > 0 && <wbr />}
        {word}
      </Fragment>
    ))}
  </code>
);
