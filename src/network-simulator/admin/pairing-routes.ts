import { enterCode } from '../pairing/link-code.ts';
import { refreshRegistration, scanQr } from '../pairing/qr-code.ts';
import { namedPhone } from './named-user.ts';
import { codeEntry } from './request-schemas.ts';
import type { AdminRoute } from './route.ts';

export const pairingRoutes: AdminRoute[] = [
  {
    method: 'POST',
    path: '/admin/mock-phone/scan-qr',
    answer({ network, query, body }) {
      const named = query.get('phone');
      const phone = named === null ? undefined : namedPhone(network, named).phone;
      return { body: { phoneNumber: scanQr(network, body.toString(), phone).phone } };
    },
  },
  {
    method: 'POST',
    path: '/admin/mock-phone/enter-code',
    async answer({ network, json }) {
      const { phone, code } = codeEntry.parse(json());
      await enterCode(network, phone, code);
      return { body: { phoneNumber: phone } };
    },
  },
  {
    method: 'POST',
    path: '/admin/mock-phone/companion-reg-refresh',
    async answer({ network, body }) {
      const acknowledged = await refreshRegistration(network, body.toString());
      return { body: { refreshed: true, acknowledged } };
    },
  },
];
