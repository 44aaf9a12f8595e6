import classes from './commands.module.css';

/** Keys that are pressed one after the other. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What opens the palette on this machine. */
export const paletteKeys: readonly string[] = isApple ? ['⌘', 'K'] : ['Ctrl', 'K'];
