import type {
  CheckedContacts,
  CreateNumberRequest,
  NumberHealth,
  Pairing,
  PairNumberRequest,
  People,
  PhoneNumber,
  Picture,
  Profile,
  ShowTypingRequest,
  UpdateNumberRequest,
  UpdateProfileRequest,
} from '../generated/api-types.ts';
import { Collection } from '../http/collection.ts';
import type { CallOptions } from '../http/transport.ts';

/** Reads take an API key or a token; changes a token. A change has the fields that are given, also within pacing and filters. */
export class Numbers extends Collection<PhoneNumber, CreateNumberRequest, UpdateNumberRequest> {
  /** How the number does as a sender, and the last changes of that, newest first. */
  health(numberId: string, options: CallOptions = {}): Promise<NumberHealth> {
    return this.ask('GET', [numberId, 'health'], options);
  }

  /** Begins a pairing: then ask for {@link pairing} until the number is connected. */
  pair(numberId: string, how: PairNumberRequest, options: CallOptions = {}): Promise<PhoneNumber> {
    return this.ask('POST', [numberId, 'pair'], options, how);
  }

  /** What to show to the person who pairs. */
  pairing(numberId: string, options: CallOptions = {}): Promise<Pairing> {
    return this.ask('GET', [numberId, 'pairing'], options);
  }

  connect(numberId: string, options: CallOptions = {}): Promise<PhoneNumber> {
    return this.ask('POST', [numberId, 'connect'], options);
  }

  disconnect(numberId: string, options: CallOptions = {}): Promise<PhoneNumber> {
    return this.ask('POST', [numberId, 'disconnect'], options);
  }

  logout(numberId: string, options: CallOptions = {}): Promise<PhoneNumber> {
    return this.ask('POST', [numberId, 'logout'], options);
  }

  /** Who of 1 to 50 phone numbers is on the network. */
  checkContacts(
    numberId: string,
    phoneNumbers: string[],
    options: CallOptions = {},
  ): Promise<CheckedContacts> {
    return this.ask('POST', [numberId, 'contacts', 'check'], options, { phoneNumbers });
  }

  /** The profile picture of a phone number or a group, as far as this number may see it. */
  chatPicture(numberId: string, chat: string, options: CallOptions = {}): Promise<Picture> {
    return this.ask('GET', [numberId, 'chats', chat, 'picture'], options);
  }

  blocked(numberId: string, options: CallOptions = {}): Promise<People> {
    return this.ask('GET', [numberId, 'blocked'], options);
  }

  block(numberId: string, phoneNumber: string, options: CallOptions = {}): Promise<void> {
    return this.ask('PUT', [numberId, 'blocked', phoneNumber], options);
  }

  unblock(numberId: string, phoneNumber: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [numberId, 'blocked', phoneNumber], options);
  }

  /** `chat`: a phone number or a group. */
  showTyping(
    numberId: string,
    chat: string,
    state: ShowTypingRequest['state'],
    options: CallOptions = {},
  ): Promise<void> {
    return this.ask('POST', [numberId, 'chats', chat, 'typing'], options, { state });
  }

  profile(numberId: string, options: CallOptions = {}): Promise<Profile> {
    return this.ask('GET', [numberId, 'profile'], options);
  }

  updateProfile(
    numberId: string,
    changes: UpdateProfileRequest,
    options: CallOptions = {},
  ): Promise<Profile> {
    return this.ask('PATCH', [numberId, 'profile'], options, changes);
  }
}
