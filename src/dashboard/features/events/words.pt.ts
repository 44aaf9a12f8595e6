import type { Words } from '../../words/texts.ts';

export const events: Words['events'] = {
  title: 'Eventos',
  lead: 'Todos os eventos dos últimos 30 dias, em ordem.',
  filters: 'Filtros',
  anyEvent: 'Qualquer evento',
  about: 'Sobre',
  waiting: '{count, plural, one {# evento novo} other {# eventos novos}}',
  emptyTitle: 'Nenhum evento ainda',
  emptyLead:
    'Cada passo de uma mensagem e cada mudança de um número é um evento. Eles aparecem aqui quando acontecem. Os webhooks os entregam ao seu servidor, e com uma chave de API você pode acompanhá-los:',
  noneTitle: 'Nenhum evento corresponde',
  noneLead: 'Nenhum evento corresponde a estes filtros. Os novos que corresponderem aparecem aqui.',
  exampleName: 'Exemplo: acompanhar os eventos',
  payloadTitle: 'Enviado aos webhooks',
  payload: 'Conteúdo',
  toMessage: 'Ver mensagem',
  cursor: 'Posição',
  gone: 'Este evento não existe mais. Os eventos são guardados por 30 dias.',
};
