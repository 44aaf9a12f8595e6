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
