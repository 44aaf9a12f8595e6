import { exampleAlertMuteId, exampleNumberId } from '../../examples/example-values.ts';
import type { Operation } from '../../operation.ts';
import { alertMuteListSchema, alertMuteSchema } from '../../schemas/alert-channel.ts';

const mute = {
  id: exampleAlertMuteId,
  kind: 'device.disconnected',
  numberId: exampleNumberId,
  until: '2026-01-31T10:30:00.000Z',
  createdBy: 'ada@example.com',
  createdAt: '2026-01-31T09:30:00.000Z',
};

export const alertMuteOperations: Operation[] = [
  {
    id: 'muteAlerts',
    method: 'post',
    path: '/v1/alert-mutes',
    tag: 'Alerts',
    summary: 'Mute alerts for a while',
    description:
      'No channel is told of them until then; they stand in the list all the same. What still lasts at the end is told then.',
    fields: {
      kind: 'One kind of alerts; null or left out: all.',
      numberId: 'What concerns one number; null or left out: everything.',
      minutes: 'For so long: 30 days (43200) at most.',
    },
    examples: {
      hour: {
        summary: 'One number is moved to another phone',
        value: { kind: 'device.disconnected', numberId: exampleNumberId, minutes: 60 },
      },
    },
    answers: [{ status: 201, description: 'It is muted.', schema: alertMuteSchema, example: mute }],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAlertMutes',
    method: 'get',
    path: '/v1/alert-mutes',
    tag: 'Alerts',
    summary: 'List what is muted',
    description: 'What is muted now, newest first.',
    answers: [
      {
        status: 200,
        description: 'A page of mutes.',
        schema: alertMuteListSchema,
        example: { data: [mute], nextCursor: null },
      },
    ],
  },
  {
    id: 'unmuteAlerts',
    method: 'delete',
    path: '/v1/alert-mutes/:id',
    tag: 'Alerts',
    summary: 'End a mute',
    description: 'The channels are told again from now on, also of what began meanwhile and still lasts.',
    answers: [{ status: 204, description: 'It is over.' }],
  },
];
