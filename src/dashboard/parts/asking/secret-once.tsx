import { Stack } from '@mantine/core';
import { Note } from '../feedback/note.tsx';
import { CodeBlock } from '../values/code/code-block.tsx';

/** A secret that the gateway shows this once: it keeps only what it needs to recognise or use it. */
export function SecretOnce({ name, secret, warning }: { name: string; secret: string; warning: string }) {
  return (
    <Stack gap="xs">
      <Note tone="amber">
        <p>{warning}</p>
      </Note>
      <CodeBlock name={name} text={secret} isFolded />
    </Stack>
  );
}
