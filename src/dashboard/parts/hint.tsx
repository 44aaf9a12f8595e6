import { Text } from '@mantine/core';

/** Says something beside the matter: soft and small. */
export const Hint = Text.withProps({ c: 'dimmed', fz: 'xs' });

/** A figure that is looked at first. */
export const Figure = Text.withProps({
  fz: 'xl',
  fw: 600,
  lh: 1.2,
  lts: '-0.02em',
  style: { fontVariantNumeric: 'tabular-nums' },
});
