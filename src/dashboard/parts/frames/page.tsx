import { Flex, Group, Stack, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Icon, productName } from '../icon.tsx';
import classes from './frames.module.css';

interface PageProps {
  title: string;
  lead?: string;
  /** The list that it belongs to. */
  back?: { to: LinkProps['to']; title: string };
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the dashboard: its name stands in the tab of the browser too. */
export function Page({ title, lead, back, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes.page}>
      {back !== undefined && (
        <nav className={classes.back} aria-label={back.title}>
          <Link to={back.to}>
            <Icon name="back" size={14} />
            {back.title}
          </Link>
        </nav>
      )}
      <Group component="header" gap="12px 16px" align="flex-start" justify="space-between">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && (
            <Text mt={2} c="dimmed">
              {lead}
            </Text>
          )}
        </div>
        {actions !== undefined && (
          <Group gap={8} align="stretch">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName}`;
  }, [title]);
}

/** Stands apart from the page, in a frame. */
export const Framed = Stack.withProps({ bg: 'var(--surface)', bd: '1px solid var(--line)', bdrs: 'lg' });

/** A part of a page with a name. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Framed component="section" gap={12} miw={0} p="16px 18px">
      <Flex component="header" gap="sm" align="baseline" justify="space-between">
        <h2>{title}</h2>
        {aside}
      </Flex>
      {children}
    </Framed>
  );
}
