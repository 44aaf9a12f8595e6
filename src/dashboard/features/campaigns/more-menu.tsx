import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';

interface MoreMenuProps {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  /** The button that opens it. */
  target: ReactElement;
  items: readonly { name: string; act: () => void }[];
}

/** What is done seldom. */
export default function MoreMenu({ isOpen, onChange, target, items }: MoreMenuProps) {
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={onChange}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {items.map(({ name, act }) => (
          <Menu.Item key={name} onClick={act}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
