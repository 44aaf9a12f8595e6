import { Box, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../../sdk/index.ts';
import { session } from '../../../../gateway/session.ts';
import { filledIn } from '../../../../parts/values/canned-variables.ts';
import { cannedRepliesQuery } from '../../../../queries/conversations/conversation-details.ts';
import { useNames } from '../../people/names.ts';
import type { DraftOf } from '../drafts.ts';
import classes from './suggestions.module.css';

interface Suggestion {
  id: string;
  title: string;
  text: string;
  /** What takes the place of what was typed. */
  insert: string;
}

interface Asked {
  kind: 'canned' | 'mention';
  words: string;
  from: number;
  to: number;
}

const shownMax = 8;
const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** `/` at the beginning of a line offers canned replies, `@` in a note colleagues. */
export function useSuggestions(
  draft: DraftOf,
  conversation: Conversation,
  input: RefObject<HTMLTextAreaElement | null>,
) {
  const id = useId();
  const names = useNames();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [place, setPlace] = useState(0);
  const { data: canned = [] } = useQuery({ ...cannedRepliesQuery, enabled: asked?.kind === 'canned' });
  const { value, change } = draft;
  const found =
    asked === null ? [] : asked.kind === 'canned' ? cannedFound(asked.words) : peopleFound(asked.words);
  const shown = found.slice(0, shownMax);
  const chosen = shown[Math.min(place, shown.length - 1)];

  function cannedFound(words: string): Suggestion[] {
    const agent = session.current.value?.user.name ?? '';
    return canned
      .filter(({ shortcut, text }) => folded(`${shortcut} ${text}`).includes(folded(words)))
      .sort(
        (a, b) =>
          Number(folded(b.shortcut).startsWith(folded(words))) -
          Number(folded(a.shortcut).startsWith(folded(words))),
      )
      .map(({ cannedReplyId, shortcut, text }) => {
        const filled = filledIn(text, { contact: conversation.contact, agent });
        return { id: cannedReplyId, title: `/${shortcut}`, text: filled, insert: filled };
      });
  }

  function peopleFound(words: string): Suggestion[] {
    return names.people
      .filter(({ name }) => folded(name).includes(folded(words)))
      .map(({ userId, name }) => ({ id: userId, title: `@${name}`, text: '', insert: `@${name} ` }));
  }

  const put = (text: string, from: number, to: number) => {
    const next = value.text.slice(0, from) + text + value.text.slice(to);
    change({ text: next });
    setAsked(null);
    const own = input.current;
    requestAnimationFrame(() => {
      own?.focus();
      own?.setSelectionRange(from + text.length, from + text.length);
    });
  };
  const choose = (suggestion: Suggestion | undefined) => {
    if (suggestion !== undefined && asked !== null) put(suggestion.insert, asked.from, asked.to);
  };
  const isOpen = shown.length > 0;
  return {
    id,
    shown,
    chosen,
    choose,
    attributes: {
      'aria-controls': isOpen ? id : undefined,
      'aria-autocomplete': 'list',
      'aria-activedescendant': chosen === undefined ? undefined : `${id}-${chosen.id}`,
    } as const,
    /** Looks at what stands before the caret. */
    look({ value: text, selectionStart: caret }: HTMLTextAreaElement) {
      const next = askedAt(text, caret, value.isNote);
      setAsked(next);
      if (next?.words !== asked?.words) setPlace(0);
    },
    /** At the caret, such as an emoji. */
    insert(text: string) {
      const own = input.current;
      put(text, own?.selectionStart ?? value.text.length, own?.selectionEnd ?? value.text.length);
    },
    /** Whether the key was for the list. */
    onKey(event: KeyboardEvent): boolean {
      if (!isOpen) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) setPlace((place + step + shown.length) % shown.length);
      else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen);
      else if (event.key === 'Escape') setAsked(null);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

type SuggestionsOf = ReturnType<typeof useSuggestions>;

function askedAt(text: string, caret: number, isNote: boolean): Asked | null {
  const before = text.slice(0, caret);
  const slash = /(?:^|\n)\/([^\s/]*)$/.exec(before);
  if (slash !== null && !isNote) {
    const words = slash[1] ?? '';
    return { kind: 'canned', words, from: caret - words.length - 1, to: caret };
  }
  const at = /(?:^|\s)@([\p{L}\p{N}._-]*)$/u.exec(before);
  if (at !== null && isNote) {
    const words = at[1] ?? '';
    return { kind: 'mention', words, from: caret - words.length - 1, to: caret };
  }
  return null;
}

/** What is offered while somebody types; the field has the focus and the keys. */
export function Suggestions({ suggestions }: { suggestions: SuggestionsOf }) {
  const t = useTranslations('inbox');
  const { id, shown, chosen, choose } = suggestions;
  if (shown.length === 0) return null;
  return (
    <div role="listbox" id={id} aria-label={t('suggestions')} className={classes.list}>
      {shown.map((suggestion) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
        <div
          key={suggestion.id}
          id={`${id}-${suggestion.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={suggestion === chosen}
          className={classes.option}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(suggestion)}
        >
          <Box component="b" flex="none" fw={600}>
            {suggestion.title}
          </Box>
          {suggestion.text !== '' && (
            <Text span truncate c="dimmed">
              {suggestion.text}
            </Text>
          )}
        </div>
      ))}
    </div>
  );
}
