import type { Words } from '../../words/texts.ts';

export const events: Words['events'] = {
  title: 'Eventos',
  lead: 'Tudo o que acontece, na ordem em que acontece, por 30 dias.',
  filters: 'Filtros',
  event: 'Evento',
  anyEvent: 'Qualquer evento',
  number: 'Número',
  anyNumber: 'Qualquer número',
  clear: 'Limpar os filtros',
  about: 'Sobre',
  time: 'Hora',
  waiting: '{count, plural, one {# evento novo} other {# eventos novos}}',
  emptyTitle: 'Nada aconteceu ainda',
  emptyLead:
    'Cada passo de uma mensagem e cada mudança de um número é um evento. Eles aparecem aqui quando acontecem; os webhooks os levam ao seu servidor, e com uma chave de API esta linha os acompanha:',
  noneTitle: 'Nenhum evento assim',
  noneLead: 'Nada corresponde a estes filtros. O que corresponder de agora em diante aparece aqui.',
  exampleName: 'Exemplo que acompanha os eventos',
  payloadTitle: 'O que um webhook recebe',
  payload: 'Conteúdo',
  message: 'Mensagem',
  toMessage: 'Acompanhar esta mensagem',
  cursor: 'Posição',
  id: 'Identificador',
  gone: 'Este evento não existe mais. Os eventos são guardados por 30 dias.',
};
