import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './frames.module.css';

export interface DialogFrameProps {
  title: string;
  onClose: () => void;
  /** For a long form: wider, and the whole screen of a phone. */
  isLarge?: boolean;
  /** It holds what would be lost: only a button in it closes it. */
  isKept?: boolean;
  children: ReactNode;
}

/** Tells the dialog around another one that it is covered, until what it answers is called. */
const Below = createContext<(() => () => void) | null>(null);

/** What a dialog looks like. Of several, Escape closes the uppermost alone. */
export function DialogFrame({ title, onClose, isLarge = false, isKept = false, children }: DialogFrameProps) {
  const t = useTranslations('common');
  useFocusReturn();
  const below = useContext(Below);
  useEffect(() => below?.(), [below]);
  const [above, setAbove] = useState(0);
  const cover = useMemo(
    () => () => {
      setAbove((count) => count + 1);
      return () => setAbove((count) => count - 1);
    },
    [],
  );
  const isPhone = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  return (
    <Modal.Root
      opened
      centered
      onClose={onClose}
      size={isLarge ? 'lg' : 'md'}
      radius="lg"
      fullScreen={isLarge && isPhone}
      transitionProps={{ duration: 120 }}
      closeOnEscape={!isKept && above === 0}
      closeOnClickOutside={!isKept && !isLarge}
    >
      <Modal.Overlay />
      {/* It may be opened from within a form of the page, which is not what was submitted. */}
      <Modal.Content onSubmit={(event) => event.stopPropagation()}>
        {/* In a dialog it is no header of the page. */}
        <Modal.Header role="presentation">
          <Modal.Title className={classes.dialogTitle}>{title}</Modal.Title>
          {!isKept && <Modal.CloseButton aria-label={t('close')} />}
        </Modal.Header>
        <Modal.Body>
          <Below value={cover}>{children}</Below>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Gives the focus back to what had it when the dialog opened, unless something else has it by then. */
function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
    [opener],
  );
}
