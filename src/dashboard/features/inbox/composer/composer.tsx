import { Button, Group, Text, Textarea, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type ClipboardEvent,
  type ComponentProps,
  type DragEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import { Note, Problem } from '../../../parts/feedback.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { chatContactQuery, scheduledQuery } from '../../../queries/conversations/conversation-details.ts';
import { type PeopleHere, useTyping } from '../chat/presence.ts';
import { useChatKeys } from '../chat/use-chat-keys.ts';
import classes from './composer.module.css';
import { type DraftOf, emptied } from './drafts.ts';
import { FileChips, useFiles } from './files.tsx';
import { textCharactersMax } from './sending/outgoing.ts';
import { reasonOf, useSend } from './sending/use-send.ts';
import { Suggestions, useSuggestions } from './suggestions/suggestions.tsx';

const EmojiPicker = lazy(() => import('./suggestions/emoji-picker.tsx'));
const VoiceRecorder = lazy(() => import('./voice-recorder.tsx'));
const SendLater = lazy(() => import('./sending/send-later.tsx'));
const Scheduled = lazy(() => import('./sending/scheduled.tsx'));

interface ComposerProps {
  conversation: Conversation;
  chatName: string;
  draft: DraftOf;
  input: RefObject<HTMLTextAreaElement | null>;
  people: PeopleHere;
  onTyping: (isTyping: boolean) => void;
  onPanel: () => void;
}

const isTouch = window.matchMedia('(pointer: coarse)').matches;

/** Where answers and notes are written. What is in it stays until it was sent. */
export default function Composer(props: ComposerProps) {
  const { conversation, chatName, draft, input, people, onTyping, onPanel } = props;
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const { conversationId } = conversation;
  const { value, change, store } = draft;
  const files = useFiles(draft);
  const send = useSend(conversationId);
  // Here, not around: what is typed before the field is there must not be taken for commands.
  useChatKeys({ conversation, input, draft, onPanel });
  const suggestions = useSuggestions(draft, conversation, input);
  const [shown, setShown] = useState<'emoji' | 'voice' | 'later' | 'scheduled' | null>(null);
  const [isDropping, setDropping] = useState(false);
  const [unlockedFor, setUnlockedFor] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const typing = useTyping(onTyping);
  const { data: scheduled = [] } = useQuery(scheduledQuery(conversationId));
  const { data: person } = useQuery(chatContactQuery(conversation));
  const isUploading = value.files.some(({ state }) => state.kind === 'uploading');
  const isBroken = value.files.some(({ state }) => state.kind === 'failed');
  const hasWords = value.text.trim() !== '';
  // The gateway would refuse it; what was written stays where it is.
  const hasOptedOut = typeof person?.optedOutAt === 'string' && !value.isNote;
  const isReady =
    !hasOptedOut &&
    value.text.length <= textCharactersMax &&
    (value.isNote ? hasWords : (hasWords || value.files.length > 0) && !isUploading && !isBroken);
  const submit = (sendAt: string | null = null) => {
    if (!isReady) return;
    const sent = hasWords ? value : { ...value, text: '' };
    store.set(emptied(value));
    typing.stop();
    setShown(null);
    send.mutate({ draft: sent, sendAt });
    input.current?.focus();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (suggestions.onKey(event)) return;
    if (event.key === 'Escape') {
      if (value.quoted !== null) change({ quoted: null });
      else event.currentTarget.blur();
      return;
    }
    const isSend = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    // A phone has no other key for a new line.
    if (!isSend || (isTouch && !event.metaKey && !event.ctrlKey)) return;
    event.preventDefault();
    submit();
  };
  const addFiles = (event: ClipboardEvent | DragEvent, list: FileList | undefined) => {
    if (list === undefined || list.length === 0 || value.isNote) return;
    event.preventDefault();
    files.add([...list]);
  };
  const locked = people.lockedBy;
  const isLocked = locked !== null && unlockedFor !== locked.userId && !value.isNote;
  const reason = send.isError ? reasonOf(send.error) : null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file may be dropped anywhere on it, and chosen by a button too.
    <div
      className={classes.composer}
      data-note={value.isNote}
      data-dropping={isDropping}
      onDragOver={(event) => {
        if (value.isNote || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        setDropping(false);
        addFiles(event, event.dataTransfer.files);
      }}
    >
      {hasOptedOut && (
        <div role="status">
          <Note tone="amber">{t('optedOut', { name: chatName })}</Note>
        </div>
      )}
      {isLocked && (
        <div className={classes.lock} role="status">
          <Icon name="pencil" size={15} />
          <Text span flex={1}>
            {t('lockedBy', { name: locked.name })}
          </Text>
          <Button variant="default" size="compact-sm" onClick={() => setUnlockedFor(locked.userId)}>
            {t('writeAnyway')}
          </Button>
        </div>
      )}
      {reason !== null && (
        <div className={classes.problem}>
          <Problem error={reason} />
          <p>{t('draftKept')}</p>
        </div>
      )}
      {scheduled.length > 0 && (
        <UnstyledButton className={classes.scheduled} onClick={() => setShown('scheduled')}>
          <Icon name="clock" size={14} />
          {t('scheduledCount', { count: scheduled.length })}
        </UnstyledButton>
      )}
      <div className={classes.box}>
        {value.quoted !== null && (
          <div className={classes.quoted}>
            <Icon name="reply" size={15} />
            <span>
              <b>{value.quoted.direction === 'outbound' ? t('you') : chatName}</b>
              <span dir="auto">{value.quoted.text === '' ? t('quoted') : value.quoted.text}</span>
            </span>
            <IconButton
              icon="close"
              iconSize={14}
              name={t('noQuote')}
              size="sm"
              onClick={() => change({ quoted: null })}
            />
          </div>
        )}
        <FileChips files={value.files} onRemove={files.remove} />
        <Suggestions suggestions={suggestions} />
        {shown === 'voice' ? (
          <Suspense fallback={null}>
            <VoiceRecorder
              conversationId={conversationId}
              onDone={(file) => {
                files.add([file], true);
                setShown(null);
              }}
              onClose={() => setShown(null)}
            />
          </Suspense>
        ) : (
          <Textarea
            ref={input}
            variant="unstyled"
            minRows={1}
            maxRows={9}
            dir="auto"
            className={classes.input}
            aria-label={value.isNote ? t('noteText') : t('text')}
            placeholder={value.isNote ? t('notePlaceholder') : t('textPlaceholder')}
            value={value.text}
            {...suggestions.attributes}
            onChange={(event) => {
              change({ text: event.currentTarget.value });
              suggestions.look(event.currentTarget);
              if (!value.isNote) typing.typed(event.currentTarget.value !== '');
            }}
            onSelect={(event) => suggestions.look(event.currentTarget)}
            onBlur={() => typing.stop()}
            onKeyDown={onKey}
            onPaste={(event) => addFiles(event, event.clipboardData.files)}
          />
        )}
        <Group gap={2}>
          <fieldset className={classes.modes} aria-label={common('messageType')}>
            <UnstyledButton aria-pressed={!value.isNote} onClick={() => change({ isNote: false })}>
              {t('answer')}
            </UnstyledButton>
            <UnstyledButton aria-pressed={value.isNote} onClick={() => change({ isNote: true })}>
              <Icon name="lock" size={13} />
              {common('note')}
            </UnstyledButton>
          </fieldset>
          {!value.isNote && (
            <>
              <Tool icon="clip" name={t('attach')} onClick={() => picker.current?.click()} />
              <Tool icon="microphone" name={t('recordVoice')} onClick={() => setShown('voice')} />
            </>
          )}
          <Tool
            icon="smile"
            name={t('emoji')}
            aria-expanded={shown === 'emoji'}
            onClick={() => setShown(shown === 'emoji' ? null : 'emoji')}
          />
          <Text span flex={1} />
          {value.text.length > textCharactersMax - 200 && (
            <span className={classes.length} data-over={value.text.length > textCharactersMax}>
              {`${value.text.length} / ${textCharactersMax}`}
            </span>
          )}
          {!value.isNote && <Tool icon="clock" name={t('sendLater')} onClick={() => setShown('later')} />}
          <Button
            className={classes.send}
            onClick={() => submit()}
            disabled={!isReady || isLocked}
            leftSection={<Icon name={value.isNote ? 'lock' : 'send'} size={15} />}
          >
            <span className={classes.sendWord}>{value.isNote ? t('addNote') : common('send')}</span>
          </Button>
        </Group>
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          files.add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <Suspense fallback={null}>
        {shown === 'emoji' && (
          <EmojiPicker onChoose={(emoji) => suggestions.insert(emoji)} onClose={() => setShown(null)} />
        )}
        {shown === 'later' && (
          <SendLater isReady={isReady} onSend={(at) => submit(at)} onClose={() => setShown(null)} />
        )}
        {shown === 'scheduled' && (
          <Scheduled conversationId={conversationId} messages={scheduled} onClose={() => setShown(null)} />
        )}
      </Suspense>
    </div>
  );
}

function Tool(props: ComponentProps<typeof IconButton>) {
  return <IconButton size={32} {...props} />;
}
