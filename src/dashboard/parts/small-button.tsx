import { Button } from '@mantine/core';

/** A button of a panel, a row or a note: one of several things to do there. */
export const SmallButton = Button.withProps({ size: 'xs', variant: 'default' });
