"""What laws are called in short, as offices and their staff write: 労基法 for 労働基準法. Pure.

No rule tells such a name from the whole one: some words leave a character, some all of theirs.
"""

from collections.abc import Iterator

_SHORT = {
    "労働基準法": "労基法",
    "労働安全衛生法": "安衛法 労安衛法",
    "労働者災害補償保険法": "労災保険法 労災法",
    "労働契約法": "労契法",
    "労働組合法": "労組法",
    "労働者派遣事業の適正な運営の確保及び派遣労働者の保護等に関する法律": "労働者派遣法 派遣法",
    "育児休業、介護休業等育児又は家族介護を行う労働者の福祉に関する法律": "育児・介護休業法 育児介護休業法 育介法",
    "雇用の分野における男女の均等な機会及び待遇の確保等に関する法律": "男女雇用機会均等法 均等法",
    "高年齢者等の雇用の安定等に関する法律": "高年齢者雇用安定法 高年法",
    "健康保険法": "健保法",
    "厚生年金保険法": "厚年法",
    "個人情報の保護に関する法律": "個情法",
    "行政手続における特定の個人を識別するための番号の利用等に関する法律": "番号法 マイナンバー法",
    "行政機関の保有する情報の公開に関する法律": "情報公開法",
    "行政手続法": "行手法",
    "電子署名及び認証業務に関する法律": "電子署名法",
    "私的独占の禁止及び公正取引の確保に関する法律": "独占禁止法 独禁法",
    "不当景品類及び不当表示防止法": "景品表示法 景表法",
    "下請代金支払遅延等防止法": "下請法",
    "不正競争防止法": "不競法",
    "金融商品取引法": "金商法",
    "租税特別措置法": "租特法",
    "国税通則法": "通則法",
    "民事訴訟法": "民訴法",
    "刑事訴訟法": "刑訴法",
}


def short_names(title: str) -> Iterator[str]:
    """The short names of a law by its normalised title; of its orders, too.

    >>> list(short_names("労働基準法施行規則"))
    ['労基法施行規則']
    """
    for ending in ("", "施行令", "施行規則"):
        for short in _SHORT.get(title.removesuffix(ending), "").split() if title.endswith(ending) else ():
            yield short + ending
