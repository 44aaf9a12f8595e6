import { Hono } from 'hono';
import { z } from 'zod';
import { pictureBytesMax } from '../../../contract/bridge/network-queries.ts';
import { refuse } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { base64Field } from '../../http/request/base64-text.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { isPlainText, plainTextProblem } from '../../http/request/shared-fields.ts';
import type { profileSchema } from './contact-queries/records.ts';
import { askNetwork, knownNumber, numberPath } from './own-number.ts';

/** What a number shows of itself at the network. */
export const profileRoutes = new Hono<AppEnv>();

/** As the network allows. */
const nameCharactersMax = 25;
const aboutCharactersMax = 139;

const plain = (text: z.ZodString) => text.refine(isPlainText, plainTextProblem);
const profileChanges = z
  .strictObject({
    name: plain(z.string().min(1).max(nameCharactersMax)),
    about: plain(z.string().max(aboutCharactersMax)),
    picture: base64Field(pictureBytesMax, `At most ${pictureBytesMax / 1024} KiB.`).nullable(),
  })
  .partial();

/** How every JPEG begins. */
const isJpeg = (base64: string) =>
  Buffer.from(base64.slice(0, 8), 'base64').toString('hex').startsWith('ffd8ff');

profileRoutes.get('/:id/profile', keyOrAdministrator('numbers:read'), numberPath, knownNumber, async (c) => {
  const asked = await askNetwork(c, { verb: 'profile.get' });
  return asked.ok ? c.json<z.infer<typeof profileSchema>>(asked.answer) : renderRefusal(c, asked);
});

profileRoutes.patch(
  '/:id/profile',
  administrator,
  numberPath,
  jsonBody(profileChanges),
  knownNumber,
  async (c) => {
    const { picture: sent, ...rest } = c.req.valid('json');
    const picture = sent === null ? null : sent?.base64;
    if (picture && !isJpeg(picture)) {
      return renderRefusal(c, refuse('UNSUPPORTED_MEDIA_TYPE', 'The image is not a JPEG.'));
    }
    const changes = { ...rest, ...(picture !== undefined && { picture }) };
    const asked = await askNetwork(c, { verb: 'profile.change', ...changes });
    if (!asked.ok) return renderRefusal(c, asked);
    const now = await askNetwork(c, { verb: 'profile.get' });
    return now.ok ? c.json<z.infer<typeof profileSchema>>(now.answer) : renderRefusal(c, now);
  },
);
