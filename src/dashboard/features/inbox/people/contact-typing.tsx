import { Flex } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useStore } from '../../../gateway/store.ts';
import { presence } from '../../../queries/conversations/presence.ts';
import classes from './people.module.css';

/** What the other side does now, in words; null: nothing that is known. */
export function useContactTyping(conversationId: string): string | null {
  const t = useTranslations('inbox');
  const state = useStore(presence).typing.get(conversationId)?.state;
  if (state === undefined) return null;
  return state === 'recording' ? t('theyRecord') : t('theyType');
}

/** That the other side types, with three dots that move where that is wanted. */
export function ContactTyping({ text }: { text: string }) {
  return (
    <Flex component="span" gap={5} align="center" display="inline-flex" c="var(--green)">
      <span className={classes.dots} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {text}
    </Flex>
  );
}
