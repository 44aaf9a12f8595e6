import { Text } from '@mantine/core';

/** Says something beside the matter: soft and small. */
export const Hint = Text.withProps({ c: 'dimmed', fz: 'xs' });
