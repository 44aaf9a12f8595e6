import type { GroupMetadata, WASocket } from '@whiskeysockets/baileys';
import type { QueryAnswer, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import type { Group } from '../../../contract/group.ts';
import type { PlainQuery } from '../connection/connection.ts';
import { AskContacts } from './ask-contacts.ts';
import { AskGroups } from './ask-groups.ts';
import { AskProfile } from './ask-profile.ts';
import { queryError } from './query-failure.ts';

/** All but the one that depends on how a contact is addressed. */
type AskedQuery = Exclude<PlainQuery, { verb: 'chats.watch' }>;

/** Questions of the edge, put to the network by the client. All of it throws `QueryError` where there is no answer. */
export class AskNetwork {
  readonly #groups: AskGroups;
  readonly #contacts: AskContacts;
  readonly #profile: AskProfile;

  constructor(sock: WASocket, onGroupRead: (metadata: GroupMetadata) => void) {
    this.#groups = new AskGroups(sock, onGroupRead);
    this.#contacts = new AskContacts(sock);
    this.#profile = new AskProfile(sock, this.#contacts);
  }

  async groups(): Promise<Group[]> {
    return this.#groups.all().catch((error) => Promise.reject(queryError(error)));
  }

  ask(query: AskedQuery): Promise<QueryAnswer<QueryVerb>> {
    return this.#ask(query).catch((error) => Promise.reject(queryError(error)));
  }

  async #ask(query: AskedQuery): Promise<QueryAnswer<QueryVerb>> {
    switch (query.verb) {
      case 'contacts.check':
        return this.#contacts.check(query);
      case 'contacts.picture':
        return this.#contacts.picture(query);
      case 'contacts.blocked':
        return this.#contacts.blocked();
      case 'contacts.block':
        return this.#contacts.block(query);
      case 'chats.typing':
        return this.#contacts.typing(query);
      case 'chats.read':
        return this.#contacts.read(query);
      case 'profile.get':
        return this.#profile.get();
      case 'profile.change':
        return this.#profile.change(query);
      case 'groups.create':
        return this.#groups.create(query);
      case 'groups.change':
        return this.#groups.change(query);
      case 'groups.leave':
        return this.#groups.leave(query);
      case 'groups.participants':
        return this.#groups.participants(query);
      case 'groups.invite':
        return this.#groups.invite(query);
      case 'groups.join':
        return this.#groups.join(query);
      case 'groups.requests':
        return this.#groups.requests(query);
      case 'groups.decide':
        return this.#groups.decide(query);
    }
  }
}
