import { resolve } from 'node:path';
import { z } from 'zod';

const portSchema = (max: number, fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= max, {
      error: `must be a port number from 1 to ${max}`,
    })
    .transform(Number);

const environmentSchema = z
  .object({
    PORT: portSchema(65535, '8787'),
    // The port above it is used too.
    SIMULATOR_PORT: portSchema(65534, '8790'),
    HELIOGRAPH_HOME: z.string().default('.heliograph'),
    HELIOGRAPH_DEMO: z.enum(['0', '1'], { error: 'must be 0 or 1' }).default('1'),
    NETWORK: z
      .enum(['simulator', 'whatsapp'], { error: 'must be simulator or whatsapp' })
      .default('simulator'),
    WEBHOOK_RETRY_SECONDS: z
      .string()
      .regex(/^\d+(,\d+)*$/, { error: 'must be whole seconds separated by commas, such as 30,120,600,1800' })
      .optional(),
  })
  .refine(
    (values) =>
      values.NETWORK !== 'simulator' ||
      (values.PORT !== values.SIMULATOR_PORT && values.PORT !== values.SIMULATOR_PORT + 1),
    { path: ['PORT'], error: 'must differ from SIMULATOR_PORT and from the port above that' },
  );

/** How `npm start` was asked to run. */
export interface LocalSettings {
  port: number;
  simulatorPort: number;
  /** Absolute path of the folder that holds all local state. */
  home: string;
  demo: boolean;
  network: 'simulator' | 'whatsapp';
}

/** A problem that the person who started the gateway can mend; its message is the whole explanation. */
export class StartProblem extends Error {}

/** Reads the environment; an empty value counts as unset. Throws {@link StartProblem} naming each wrong variable. */
export function readSettings(environment: Record<string, string | undefined>): LocalSettings {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name} ${issue.message}, but it is "${present[name] ?? ''}".`;
    });
    throw new StartProblem(sentences.join('\n'));
  }
  const values = parsed.data;
  return {
    port: values.PORT,
    simulatorPort: values.SIMULATOR_PORT,
    home: resolve(values.HELIOGRAPH_HOME),
    demo: values.HELIOGRAPH_DEMO === '1',
    network: values.NETWORK,
  };
}
