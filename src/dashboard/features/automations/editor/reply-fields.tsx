import {
  Button,
  FileButton,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { withWord } from '../../../parts/fields/insert.ts';
import { Icon } from '../../../parts/icon.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import type { DraftAction } from './draft.ts';

interface ReplyFieldsProps {
  action: DraftAction;
  onChange: (changes: Partial<DraftAction>) => void;
}

const mediaTypes = ['image', 'video', 'audio', 'document'] as const;
const delays = [0, 10, 30, 60, 300, 900, 3_600] as const;
const variables = ['{{name}}', '{{phone}}'] as const;
const emptyMedia = { type: 'image', url: '', mediaId: '', caption: '' } as const;

/** A reply: words with what is known of the person in them, or a file. */
export function ReplyFields({ action, onChange }: ReplyFieldsProps) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const { media, delaySeconds } = action;
  const others = delays.some((seconds) => seconds === delaySeconds) ? delays : [...delays, delaySeconds];
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={t('replyWith')}
        data={[
          { value: 'text', label: common('text') },
          { value: 'media', label: common('file') },
        ]}
        value={media === null ? 'text' : 'media'}
        onChange={(value) => onChange({ media: value === 'text' ? null : emptyMedia })}
      />
      {media === null ? (
        <Words label={t('replyText')} text={action.text} onChange={(text) => onChange({ text })} />
      ) : (
        <MediaFields media={media} onChange={(changed) => onChange({ media: changed })} />
      )}
      <NativeSelect
        label={t('delay')}
        data={others.map((seconds) => ({
          value: String(seconds),
          label: seconds === 0 ? t('atOnce') : t('afterSeconds', { seconds }),
        }))}
        {...inputOf(String(delaySeconds), (seconds) => onChange({ delaySeconds: Number(seconds) }))}
      />
    </Stack>
  );
}

/** Words, and buttons that put variables where the cursor is. */
function Words({ label, text, onChange }: { label: string; text: string; onChange: (text: string) => void }) {
  const t = useTranslations('automations');
  const field = useRef<HTMLTextAreaElement>(null);
  const insert = (variable: string) => onChange(withWord(field.current, text, variable));
  return (
    <Stack gap={6}>
      <Textarea ref={field} label={label} minRows={3} maxRows={14} {...inputOf(text, onChange)} />
      <Group gap={6}>
        <Text span c="dimmed">
          {t('insert')}
        </Text>
        {variables.map((variable) => (
          <Button key={variable} size="compact-xs" variant="default" onClick={() => insert(variable)}>
            <code>{variable}</code>
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

type Media = NonNullable<DraftAction['media']>;

function MediaFields({ media, onChange }: { media: Media; onChange: (media: Media) => void }) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const upload = useMutation({
    mutationFn: (file: File) => gateway.media.upload(file, { fileName: file.name }),
    onSuccess: ({ mediaId }) => onChange({ ...media, mediaId, url: '' }),
  });
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('fileKind')}
        data={mediaTypes.map((value) => ({ value, label: common(`messageTypes.${value}`) }))}
        {...inputOf(media.type, (type) => onChange({ ...media, type }))}
      />
      {media.mediaId === '' ? (
        <>
          <TextInput
            type="url"
            label={t('fileUrl')}
            {...inputOf(media.url, (url) => onChange({ ...media, url }))}
            autoComplete="off"
          />
          <FileButton onChange={(file) => file !== null && upload.mutate(file)}>
            {(props) => (
              <SmallButton {...props} loading={upload.isPending}>
                {t('upload')}
              </SmallButton>
            )}
          </FileButton>
        </>
      ) : (
        <Group gap="xs">
          <Icon name="check" size={16} />
          <span>{t('uploaded')}</span>
          <Button size="compact-xs" variant="default" onClick={() => onChange({ ...media, mediaId: '' })}>
            {common('anotherFile')}
          </Button>
        </Group>
      )}
      <Problem error={upload.error} />
      {media.type !== 'audio' && (
        <Words
          label={common('caption')}
          text={media.caption}
          onChange={(caption) => onChange({ ...media, caption })}
        />
      )}
    </Stack>
  );
}
