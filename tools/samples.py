"""
Make the sample clips that `asrbench init --language` writes, and have a real Whisper hear them.

    python tools/samples.py                         speaks them with espeak-ng, as FLAC
    python tools/samples.py --model FOLDER          and checks them (pip install faster-whisper)

A sample counts as checked only where every value is carried by what the model heard; the others
are said to be unchecked in their manifest. espeak-ng speaks Japanese from kana alone and Mandarin
best from pinyin, so `speak` may differ from the reference.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import soundfile
import soxr

from pytest_asrbench.model import Entity
from pytest_asrbench.verifiers.rules import Rules

FOLDER = Path(__file__).parent.parent / "pytest_asrbench" / "templates" / "init" / "languages"
RATE = 16_000


@dataclass(frozen=True)
class Sample:
    """One sentence with two values. `voice` is espeak-ng's; `pred` is its recorded transcript."""

    language: str
    voice: str
    reference: str
    percentage: tuple[str, str]
    """Canonical and spoken form."""
    amount: tuple[str, str]
    pred: str
    speak: str | None = None


SAMPLES = (
    Sample("de", "de", "Ihr Rabatt beträgt zwölf Prozent, also zahlen Sie sechsundneunzig Euro.",
           ("12 %", "zwölf Prozent"), ("96 €", "sechsundneunzig Euro"),
           "Ihr Rabatt beträgt 12%, also zahlen Sie 96 Euro."),
    Sample("es", "es", "Su descuento es del doce por ciento, así que el total es de noventa y seis"
           " euros.", ("12 %", "doce por ciento"), ("96 €", "noventa y seis euros"),
           "Su descuento es del 12%, así que el total es de 96 euros."),
    Sample("es-MX", "es-419", "Su descuento es del doce por ciento, así que el total es de noventa"
           " y seis pesos.", ("12%", "doce por ciento"), ("$96", "noventa y seis pesos"),
           "Su descuento es del 12%, así que el total es de 96 pesos."),
    Sample("fr", "fr-fr", "Votre remise est de douze pour cent, donc le total est de"
           " quatre-vingt-seize euros.", ("12 %", "douze pour cent"),
           ("96 €", "quatre-vingt-seize euros"),
           "Votre remise est de 12%, donc le total est de 96 euros."),
    Sample("hi", "hi", "आपकी छूट बारह प्रतिशत है, इसलिए कुल छियानवे रुपये हैं।",
           ("12%", "बारह प्रतिशत"), ("₹96", "छियानवे रुपये"),
           "आपकी छूट 12 प्रतिशत है, इसलिए कुल 96 रुपये हैं।"),
    Sample("it", "it", "Il suo sconto è del dodici per cento, quindi il totale è di novantasei"
           " euro.", ("12%", "dodici per cento"), ("96 €", "novantasei euro"),
           "Il suo sconto è del 12%, quindi il totale è di 96 euro."),
    Sample("ja", "ja", "割引は十二パーセントです。合計は九十六円です。",
           ("12%", "十二パーセント"), ("96円", "九十六円"),
           "割引は12%です。合計は96円です。",
           "わりびきわ じゅうにぱーせんとです。ごうけいわ きゅうじゅうろくえんです。"),
    Sample("pt", "pt-br", "O seu desconto é de doze por cento, então o total é de noventa e seis"
           " reais.", ("12%", "doze por cento"), ("R$ 96", "noventa e seis reais"),
           "O seu desconto é de 12%, então o total é de 96 reais."),
    Sample("pt-PT", "pt", "O seu desconto é de doze por cento, por isso o total é de noventa e"
           " seis euros.", ("12%", "doze por cento"), ("96 €", "noventa e seis euros"),
           "O seu desconto é de 12%, por isso o total é de 96 euros."),
    Sample("tr", "tr", "İndiriminiz yüzde on iki, yani toplam doksan altı lira.",
           ("%12", "yüzde on iki"), ("96 TL", "doksan altı lira"),
           "İndiriminiz yüzde 12, yani toplam 96 lira."),
    Sample("vi", "vi", "Quý khách được giảm mười hai phần trăm, tổng cộng là chín mươi sáu nghìn"
           " đồng.", ("12%", "mười hai phần trăm"), ("96.000 đồng", "chín mươi sáu nghìn đồng"),
           "Quý khách được giảm 12%, tổng cộng là 96.000 đồng."),
    Sample("zh", "cmn-latn-pinyin", "您的折扣是百分之十二，一共九十六元。",
           ("12%", "百分之十二"), ("¥96", "九十六元"), "您的折扣是12%，一共96元。",
           "nin2 de5 zhe2kou4 shi4 bai3fen1 zhi1 shi2er4, yi2gong4 jiu3shi2liu4 yuan2."),
)  # fmt: skip


def spoken(sample: Sample) -> Path:
    """The clip, made anew."""
    path = FOLDER / f"{sample.language}.flac"
    with tempfile.NamedTemporaryFile(suffix=".wav") as wav:
        asked = ["espeak-ng", "-v", sample.voice, "-s", "140", "-w", wav.name]
        subprocess.run([*asked, sample.speak or sample.reference], check=True)
        samples, rate = soundfile.read(wav.name, dtype="float32")
    soundfile.write(path, soxr.resample(samples, rate, RATE), RATE, subtype="PCM_16")
    return path


def entities(sample: Sample) -> list[Entity]:
    return [
        Entity("percentage", "percentage", *sample.percentage),
        Entity("amount", "currency_amount", *sample.amount),
    ]


def carried(sample: Sample, text: str) -> bool:
    verdicts = Rules().judge(entities(sample), text, sample.language)
    return all(verdict.present for verdict in verdicts)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", help="folder or name of a faster-whisper model")
    args = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    written = {}
    for sample in SAMPLES:
        path = spoken(sample)
        assert carried(sample, sample.pred), sample.language
        assert carried(sample, sample.reference), sample.language
        heard = _heard(path, sample, args.model) if args.model else None
        checked = heard is not None and carried(sample, heard)
        print(f"{sample.language}  {'checked' if checked else 'unchecked'}  {heard or ''}")
        written[sample.language] = {
            "reference": sample.reference,
            "percentage": sample.percentage,
            "amount": sample.amount,
            "pred_text": heard if checked else sample.pred,
            "checked": checked,
        }
    text = json.dumps(written, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    (FOLDER / "samples.json").write_text(text, encoding="utf-8")
    return 0


def _heard(path: Path, sample: Sample, model: str) -> str:
    from faster_whisper import WhisperModel

    language = sample.language.partition("-")[0]
    segments, _ = WhisperModel(model, compute_type="int8").transcribe(
        str(path), language=language, beam_size=5
    )
    return "".join(segment.text for segment in segments).strip()


if __name__ == "__main__":
    sys.exit(main())
