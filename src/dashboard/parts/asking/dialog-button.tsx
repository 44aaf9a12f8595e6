import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, Suspense } from 'react';
import { SmallButton } from '../small-button.tsx';
import { Confirm } from './confirm.tsx';
import type { ConfirmProps } from './confirm-dialog.tsx';

interface ButtonProps {
  action: string;
  /** Takes away what cannot be brought back. */
  isGrave?: boolean;
  /** Without it there is no button; a dialog that is open stays, and tells what came of it. */
  isOffered?: boolean;
}

interface DialogButtonProps extends ButtonProps {
  dialog: (onClose: () => void) => ReactNode;
}

/** A button of a panel, and the dialog that it opens. */
export function DialogButton({ action, isGrave = false, isOffered = true, dialog }: DialogButtonProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      {isOffered && (
        <SmallButton {...(isGrave && { color: 'danger' })} onClick={open}>
          {action}
        </SmallButton>
      )}
      <Suspense>{isOpen && dialog(close)}</Suspense>
    </>
  );
}

/** A button of a panel that asks before it does what it says. */
export function ConfirmButton(props: ButtonProps & Omit<ConfirmProps, 'onClose'>) {
  const { isGrave = false, isOffered = true, ...asked } = props;
  const dialog = (onClose: () => void) => <Confirm {...asked} onClose={onClose} />;
  return <DialogButton action={asked.action} isGrave={isGrave} isOffered={isOffered} dialog={dialog} />;
}
