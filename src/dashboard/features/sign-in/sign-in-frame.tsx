import { Flex, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from '../../parts/frames/page.tsx';
import { Mark, productName } from '../../parts/icon.tsx';
import classes from './sign-in-frame.module.css';

interface SignInFrameProps {
  title: string;
  lead?: string;
  children?: ReactNode;
  /** Below the card: the ways elsewhere. */
  foot?: ReactNode;
}

/** What the pages before the dashboard look like: the mark, a card, ways elsewhere. */
export function SignInFrame({ title, lead, children, foot }: SignInFrameProps) {
  useTitle(title);
  return (
    <main className={classes.ground}>
      <Flex gap={9} align="center" fz="lg" fw={640} lts="-0.015em">
        <Mark size={30} />
        {productName}
      </Flex>
      <section className={classes.card}>
        <header>
          <h1>{title}</h1>
          {lead !== undefined && (
            <Text mt={4} c="dimmed">
              {lead}
            </Text>
          )}
        </header>
        {children}
      </section>
      {foot !== undefined && <Text c="dimmed">{foot}</Text>}
    </main>
  );
}

/** The token of a mailed link, behind its `#`: browsers send that part to no server. Null where it was cut off. */
export const mailedToken = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get('token');
