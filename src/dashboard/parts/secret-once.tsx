import { Stack } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';
import { Note } from './note.tsx';

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
