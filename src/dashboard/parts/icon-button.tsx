import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends ActionIconProps, Omit<ComponentProps<'button'>, keyof ActionIconProps> {
  icon: IconName;
  iconSize?: number;
  /** What it does: a screen reader says it, and it is shown on hover. */
  name: string;
}

/** A button that shows an icon alone. */
export function IconButton({ icon, iconSize = 18, name, ...button }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" aria-label={name} title={name} {...button}>
      <Icon name={icon} size={iconSize} />
    </ActionIcon>
  );
}
