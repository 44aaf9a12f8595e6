import type { Words } from '../../texts.ts';

export const problems: Words['problems'] = {
  title: 'Itu tidak berhasil',
  requestId: 'Id permintaan',
  unreachable: 'Gateway tidak dapat dihubungi. Tidak ada yang berubah. Periksa koneksi Anda lalu coba lagi.',
  timeout: 'Gateway terlalu lama menjawab. Lihat dulu apakah perubahan sudah terjadi sebelum mencoba lagi.',
  forbidden: 'Peran Anda tidak mengizinkan ini. Mintalah kepada pemilik atau admin akun.',
  notFound: 'Ini sudah tidak ada. Mungkin seseorang telah menghapusnya.',
  conflict: 'Ini tidak cocok dengan keadaan saat ini, jadi tidak ada yang berubah.',
  quota: 'Pesan bulan ini sudah habis. Dimulai lagi pada {date}.',
  rateLimited:
    'Terlalu banyak permintaan sekaligus. Tunggu {seconds, plural, other {# detik}} lalu coba lagi.',
  invalid: 'Beberapa isian perlu nilai lain. Yang Anda ketik masih ada di sini.',
  recipient: 'Penerima ini tidak dapat dikirimi pesan.',
  noSender: 'Tidak ada nomor yang dapat mengirim sekarang. Hubungkan satu lalu coba lagi.',
  signedOut: 'Sesi Anda sudah berakhir. Masuk lagi.',
  internal: 'Ada yang salah di gateway. Yang Anda ketik tidak hilang; coba lagi.',
  said: 'Kata gateway: {message}',
};
