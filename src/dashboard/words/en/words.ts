import { apiKeys } from './api-keys.ts';
import { common } from './common.ts';
import { messages } from './messages.ts';
import { numbers } from './numbers.ts';
import { overview } from './overview.ts';
import { problems } from './problems.ts';
import { requests } from './requests.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';

export const words = {
  apiKeys,
  common,
  messages,
  numbers,
  overview,
  problems,
  requests,
  settings,
  shell,
  signIn,
} as const;
