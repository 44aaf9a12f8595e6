import classes from './people.module.css';

/** The first letters of a name, in one of a few colours that stays the same for the same name. */
export function Avatar({
  name,
  isGroup = false,
  size = 36,
}: {
  name: string;
  isGroup?: boolean;
  size?: 18 | 24 | 36 | 56;
}) {
  return (
    <span
      className={classes.avatar}
      data-colour={colourOf(name)}
      data-size={size}
      data-group={isGroup}
      aria-hidden="true"
    >
      {initials(name)}
    </span>
  );
}

const colours = 5;

function colourOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % colours;
}

function initials(name: string): string {
  const words = name.split(/[\s\p{P}]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  // Of a phone number the last two digits tell most.
  if (/^\d/.test(letters[0] ?? '') && /^[+\d\s]+$/.test(name)) return name.slice(-2);
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
