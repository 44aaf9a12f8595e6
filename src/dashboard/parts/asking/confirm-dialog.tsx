import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputOf } from '../fields/input.ts';
import { SaveDialog } from '../frames/dialog-form.tsx';

export interface ConfirmProps {
  onClose: () => void;
  title: string;
  lead: string;
  /** What the button says, where it is not "Delete". */
  action?: string;
  /** What has to be typed first, where one press is not enough. */
  word?: string;
  /** What is done, until all that follows from it is shown. */
  onConfirm: () => Promise<unknown>;
  /** What comes then; by default it closes. */
  onConfirmed?: () => void;
}

export default function ConfirmDialog(props: ConfirmProps) {
  const { onClose, title, lead, word, onConfirm, onConfirmed } = props;
  const t = useTranslations('common');
  const [typed, setTyped] = useState('');
  return (
    <SaveDialog
      title={title}
      save={onConfirm}
      {...(onConfirmed && { onSaved: onConfirmed })}
      action={props.action ?? t('delete')}
      isGrave
      canSubmit={word === undefined || typed.trim() === word}
      onClose={onClose}
    >
      <p>{lead}</p>
      {word !== undefined && (
        <TextInput
          data-autofocus
          label={t('typeToConfirm', { word })}
          {...inputOf(typed, setTyped)}
          autoComplete="off"
        />
      )}
    </SaveDialog>
  );
}
