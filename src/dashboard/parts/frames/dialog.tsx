import { createContext, useContext, useEffect, useState } from 'react';
import { DialogFrame, type DialogFrameProps } from './dialog-frame.tsx';
import { Unsaved } from './unsaved.tsx';

const noDialog = () => {};
const TellChanges = createContext<(isChanged: boolean) => void>(noDialog);

/** Says within a dialog whether it holds changes that would be lost with it. */
export function DialogChanges({ isDirty }: { isDirty: boolean }) {
  const tell = useContext(TellChanges);
  useEffect(() => {
    tell(isDirty);
    return () => tell(false);
  }, [tell, isDirty]);
  return null;
}

/** Asks for something before the page goes on. It asks before changes are lost, except by its own "Cancel". */
export function Dialog({ onClose, children, ...frame }: DialogFrameProps) {
  const [isDirty, setDirty] = useState(false);
  const [isClosing, setClosing] = useState(false);
  return (
    <DialogFrame {...frame} onClose={isDirty ? () => setClosing(true) : onClose}>
      <TellChanges value={setDirty}>{children}</TellChanges>
      <Unsaved
        isDirty={isDirty}
        isDialog
        {...(isClosing && { asked: { onKeep: () => setClosing(false), onDiscard: onClose } })}
      />
    </DialogFrame>
  );
}
