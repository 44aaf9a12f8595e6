import { KEY_BUNDLE_TYPE, xmppPreKey, xmppSignedPreKey } from '@whiskeysockets/baileys';
import {
  addPrekeys,
  countPrekeys,
  type KeyBundle,
  readKeyBundle,
  replaceIdentity,
  replaceSignedPrekey,
  takeKeyBundle,
} from '../accounts/devices.ts';
import type { Device } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import type { PublicKeys } from '../phones/signal-endpoint.ts';
import { parseAddress } from '../wire/addresses.ts';
import {
  childNamed,
  childrenNamed,
  networkAddress,
  notification,
  nowSeconds,
  requiredBytes,
  type Stanza,
  stanza,
} from '../wire/stanza.ts';
import { type Answer, notFound, type Query } from './query.ts';

const prekeysLow = 4;

/** `encrypt`: a device looks after its own keys, or asks for those of others. */
export function answerEncrypt({ network, device, iq, asked }: Query): Answer {
  const { store } = network;
  switch (asked?.tag) {
    case 'count':
      return { content: [stanza('count', { value: String(countPrekeys(store, device)) })] };
    case 'digest': {
      const own = readKeyBundle(store, device);
      return {
        content: [stanza('digest', {}, identityNodes(own.registration, own.identityKey))],
      };
    }
    case 'rotate':
      replaceSignedPrekey(store, device, signedPrekeyIn(asked));
      return {};
    case 'key':
      return {
        content: [
          stanza(
            'list',
            {},
            childrenNamed(asked, 'user').map((user) => bundleNode(network, user)),
          ),
        ],
      };
    default:
      if (iq.attrs.type === 'set') takeUpload(network, device, iq);
      return {};
  }
}

function takeUpload(network: Network, device: Device, iq: Stanza): void {
  const { store } = network;
  replaceIdentity(store, device, requiredBytes(iq, 'registration'), requiredBytes(iq, 'identity'));
  replaceSignedPrekey(store, device, signedPrekeyIn(iq));
  const prekeys = childrenNamed(childNamed(iq, 'list'), 'key').map((key) => ({
    id: requiredBytes(key, 'id').readUIntBE(0, 3),
    publicKey: requiredBytes(key, 'value'),
  }));
  addPrekeys(store, device, prekeys);
}

function signedPrekeyIn(parent: Stanza): { id: Buffer; publicKey: Buffer; signature: Buffer } {
  const signed = childNamed(parent, 'skey');
  return {
    id: requiredBytes(signed, 'id'),
    publicKey: requiredBytes(signed, 'value'),
    signature: requiredBytes(signed, 'signature'),
  };
}

function bundleNode(network: Network, request: Stanza): Stanza {
  const { jid } = request.attrs;
  const user = network.users.byAddress(jid);
  const number = parseAddress(jid)?.device ?? 0;
  const device = user?.devices.get(number);
  const isThere = user?.script.registered && user.script.keys !== 'missing' && (number === 0 || device);
  if (!isThere) return stanza('user', { jid }, [stanza('error', notFound.error)]);
  const nodes = device
    ? linkedNodes(network, device)
    : phoneNodes(network.endpoints.of(user).newPublicKeys());
  const identity = stanza('identity', {}, Buffer.from('no key'));
  const shown = nodes.map((node) =>
    user.script.keys === 'broken' && node.tag === 'identity' ? identity : node,
  );
  return stanza('user', { jid, t: nowSeconds() }, shown);
}

function linkedNodes(network: Network, device: Device): Stanza[] {
  const bundle = takeKeyBundle(network.store, device);
  if (bundle.prekey && countPrekeys(network.store, device) === prekeysLow) warnOfFewKeys(network, device);
  return deviceNodes(bundle);
}

/** The device learns that it should upload more one-time keys. */
function warnOfFewKeys(network: Network, device: Device): void {
  const count = stanza('count', { value: String(prekeysLow) });
  network.queue.put(device, notification(networkAddress, 'encrypt', [count]));
}

function identityNodes(registration: Uint8Array, identityKey: Uint8Array): Stanza[] {
  return [
    stanza('registration', {}, registration),
    stanza('type', {}, KEY_BUNDLE_TYPE),
    stanza('identity', {}, identityKey),
  ];
}

function deviceNodes({ registration, identityKey, signedPrekey, prekey }: KeyBundle): Stanza[] {
  const signed = stanza('skey', {}, [
    stanza('id', {}, signedPrekey.id),
    stanza('value', {}, signedPrekey.publicKey),
    stanza('signature', {}, signedPrekey.signature),
  ]);
  const nodes = [...identityNodes(registration, identityKey), signed];
  if (!prekey) return nodes;
  const id = Buffer.alloc(3);
  id.writeUIntBE(prekey.id, 0, 3);
  return [...nodes, stanza('key', {}, [stanza('id', {}, id), stanza('value', {}, prekey.publicKey)])];
}

function phoneNodes(keys: PublicKeys): Stanza[] {
  const registration = Buffer.alloc(4);
  registration.writeUInt32BE(keys.registrationId);
  const { id, publicKey } = keys.prekey;
  return [
    ...identityNodes(registration, keys.identityKey),
    xmppSignedPreKey(keys.signedPrekey),
    xmppPreKey({ public: publicKey, private: new Uint8Array(0) }, id),
  ];
}
